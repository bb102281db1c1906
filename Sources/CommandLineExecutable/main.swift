import CommandLineTool

ToolProcess.run()
